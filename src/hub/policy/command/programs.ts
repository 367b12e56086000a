/** Programs that run what their arguments say: that is not what the person named who wrote the rule. Data. */

/** Their arguments are commands, code for a shell, or change what later words of the line mean. No rule answers for them. */
export const RUNS_OTHERS: ReadonlySet<string> = new Set(
  [
    "sh bash rbash dash ash zsh ksh ksh93 mksh fish csh tcsh busybox toybox rc es elvish nu pwsh",
    "env sudo sudoedit doas su runuser pkexec gosu su-exec setpriv",
    "xargs parallel nohup nice ionice chrt taskset timeout time setsid stdbuf unbuffer script expect watch entr",
    "strace ltrace gdb lldb valgrind perf rr flock chroot unshare nsenter systemd-run at batch crontab start-stop-daemon run-parts",
    "ssh rsh mosh sshpass screen tmux dtach abduco xvfb-run dbus-run-session dbus-launch",
    "proot fakeroot fakechroot faketime firejail bwrap cgexec numactl prlimit setarch linux32 linux64 ld.so rlwrap nodemon direnv",
    "command builtin exec eval source . trap alias unalias typeset declare local export readonly set unset shopt setopt unsetopt",
    "enable hash bind complete compgen zmodload autoload emulate coproc noglob nocorrect pushd popd fc history",
    "vi vim nvim view ex ed emacs nano less more most man info tclsh wish osascript open xdg-open",
    "cross-env cross-env-shell dotenv env-cmd concurrently npm-run-all npm-run-all2 run-s run-p hyperfine chokidar onchange",
    "nyc c8 nix-shell pdb ipdb cprofile runpy timeit",
    "docker-compose-run make-run distrobox toolbox flatpak-spawn snap-run wsl cmd cmd.exe powershell powershell.exe rundll32",
  ]
    .join(" ")
    .split(" "),
);

/** Those of `RUNS_OTHERS` that run none of their arguments, but change what later words mean, or show files. */
export const RUNS_NOTHING: ReadonlySet<string> = new Set(
  (
    "trap alias unalias typeset declare local export readonly set unset shopt setopt unsetopt enable hash bind complete compgen zmodload " +
    "autoload emulate source . pushd popd fc history vi vim nvim view ex ed emacs nano less more most man info open xdg-open"
  ).split(" "),
);

/** The word behind their name is no program: how long, where, on which processor. */
export const HAVE_OPERAND: ReadonlySet<string> = new Set("timeout flock chroot taskset chrt".split(" "));

/** Their first argument is a program text or names one: a rule must name it as well. */
export const INTERPRETERS: ReadonlySet<string> = new Set(
  (
    "python python2 python3 pypy pypy3 node nodejs deno bun ruby perl php lua luajit Rscript julia groovy scala java npx pnpx bunx " +
    "uvx pipx uv poetry pipenv tsx ts-node rye hatch pdm bundle docker podman kubectl dotnet dart swift mix elixir escript iex erl " +
    "guile racket sbcl clojure clj lein kotlin crystal zig conda mamba micromamba nix guix devbox mise asdf fnm nvm pyenv rbenv volta"
  ).split(" "),
);

/** Arguments of such programs that run a further program: a rule must name that as well. */
export const RUNNING_WORDS: ReadonlySet<string> = new Set(
  "run exec dlx x start tool shell develop".split(" "),
);

/** Their arguments are programs, whatever the first words are: only `exactly` can name one. */
export const PROGRAMS_IN_WORDS: ReadonlySet<string> = new Set(
  (
    "awk gawk mawk nawk sed gsed jq yq dc bc m4 gnuplot octave " +
    "psql mysql mariadb sqlite3 duckdb sqlcmd clickhouse-client mongo mongosh redis-cli"
  ).split(" "),
);

/** They run the program that the next words name, found in the project or fetched. By name, or by name and first argument. */
export const PROGRAM_RUNNERS: ReadonlySet<string> = new Set(
  (
    "npx, pnpx, bunx, uvx, npm exec, npm x, pnpm exec, pnpm dlx, yarn exec, yarn dlx, yarn run, bun x, bun run, bundle exec, poetry run, " +
    "pipenv run, uv run, pdm run, rye run, hatch run, pipx run, composer exec, corepack, conda run, mise exec, mise x, asdf exec, " +
    "pyenv exec, rbenv exec, volta run"
  ).split(", "),
);

/** They run a program elsewhere; its name stands behind that of the place. */
export const PLACE_RUNNERS: ReadonlySet<string> = new Set(
  (
    "docker exec, docker run, podman exec, podman run, kubectl exec, kubectl run, docker compose, docker-compose exec, docker-compose run, " +
    "docker compose exec, docker compose run, podman compose exec, podman compose run, docker container exec, docker container run, " +
    "podman container exec, podman container run"
  ).split(", "),
);

/** For these, the program comes after `--`, whatever other words come before. */
export const BEHIND_DASHES: ReadonlySet<string> = new Set(
  "kubectl exec, kubectl run, mise exec, mise x".split(", "),
);

const PACKAGE_RUNNING = ["exec", "dlx", "x", "create", "init"];
const PLACE_RUNNING = ["exec", "run"];

/** Subcommands that are followed by a program to run. A name with a space is a group: alone it runs no program. */
export const RUNNING_SUBCOMMANDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...{ npm: PACKAGE_RUNNING, pnpm: PACKAGE_RUNNING, yarn: PACKAGE_RUNNING },
    ...{ "docker compose": PLACE_RUNNING, "podman compose": PLACE_RUNNING },
    ...{ "docker container": PLACE_RUNNING, "podman container": PLACE_RUNNING },
    ...{ "uv tool": ["run"], "dotnet tool": ["run", "exec"] },
    ...{ "git bisect": ["run"], "git submodule": ["foreach"], "git hook": ["run"] },
    ...{ git: ["for-each-repo"], go: ["run", "tool"], composer: ["exec"], gem: ["exec"] },
  }),
);

/** Other names of programs for which something is known. */
export const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ gmake: "make", gnumake: "make", bmake: "make", gradlew: "gradle", mvnw: "mvn", "py.test": "pytest" },
    ...{ gtar: "tar", bsdtar: "tar", gsort: "sort", gfind: "find", gdate: "date" },
  }),
);
