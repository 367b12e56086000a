/** What `policy init` writes. */

export const PRESETS = ["ask-everything", "read-only-auto", "ci"] as const;
export type Preset = (typeof PRESETS)[number];

const HEAD = `# Which prompts are answered by rules, and who is asked about the others.
# Check it with \`atlasbridge policy check\`, try it with \`atlasbridge policy test --command 'git status'\`.
# Never answered by a rule: uncertain or cut content, secrets, trust, login and update prompts, "always allow" choices.
version: 1
`;

const ASK_EVERYTHING = `${HEAD}mode: full                       # off | assist | full
rules: []                        # nothing matches: people are asked about everything
`;

/** Names that are likely to hold secrets, wherever they stand: as words, without quotes, and where links lead. */
const SECRETS =
  "'(?i)\\.env|[._]netrc|\\.npmrc|\\.pypirc|\\.pgpass|\\.git-credentials|\\.git([^\\w-]|$)|\\.(ssh|aws|gnupg|kube|docker|azure)\\b|" +
  "id_(rsa|dsa|ecdsa|ed25519)|secret|credential|passw|vault_pass|token|private|kubeconfig|\\.(my\\.cnf|s3cfg|authinfo|dockercfg|boto)|_history|\\.tf(state|vars)|\\.(pem|key|ppk|p12|pfx|jks|keystore|kdbx)\\b'";

/** They read files that the command does not name. `rg` leaves out ignored files, unless an option says otherwise. */
const WIDE_READS = [
  "'(?im)^[ef]?grep(\\s.*)?\\s-(-[rd]|[a-z0-9]*[rd])'",
  "'(?m)^rg(\\s.*)?\\s-(-(no-ignore|unrestricted|hidden|follow|i?glob|type-add)|[A-Za-z0-9]*[uLg.])'",
  // A file of another revision.
  "'(?m)^git (show|diff)(\\s.*)?\\s[^\\s-]\\S*:\\S'",
];

/** Reading inside the session's directory, and nothing that is likely to hold secrets. */
const READ_ONLY = `  - id: read-commands
    match:
      class: permission
      command: [ls, pwd, cat, head, tail, wc, grep, rg, find, stat, du, tree, git status, git diff, git log, git show, git blame, git ls-files, git rev-parse]
      path: .                    # every word that may be a path lies in the session's directory
      none_of:
        - pattern: ${SECRETS}
        - pattern: # reads that nobody named: a search through everything, a file of another revision
${WIDE_READS.map((pattern) => `            - ${pattern}\n`).join("")}    answer: allow_once
  - id: read-files
    match:
      class: permission
      call: [Read, Glob, Grep, LS, read, glob, grep, list, search]
      path: .
      none_of:
        - pattern: ${SECRETS}
    answer: allow_once
`;

const READ_ONLY_AUTO = `${HEAD}mode: full
rules:
${READ_ONLY}`;

const CI = `${HEAD}mode: full
rules:
  - id: never-publish
    match: { command: [git push, npm publish, pnpm publish, yarn publish, cargo publish, docker push, gh release, twine upload] }
    deny: "Nothing is published from CI."
${READ_ONLY}  - id: checks
    match:
      class: permission
      command: [npm test, npm run lint, npm run build, npm run check, pnpm test, yarn test, cargo test, cargo check, go test, go vet, pytest, make test, make check]
      path: .                    # no test file from elsewhere
    answer: allow_once
    max: 200
  - id: nobody-waits
    ask: { expires: 10m, on_expiry: safe_default }
`;

export const PRESET_TEXTS: Readonly<Record<Preset, string>> = {
  "ask-everything": ASK_EVERYTHING,
  "read-only-auto": READ_ONLY_AUTO,
  ci: CI,
};
