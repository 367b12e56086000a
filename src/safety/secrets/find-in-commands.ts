/** Finds secrets by the command that takes them, where no name stands before them. Linear. Pure. */
import { createFound, type FoundSecret } from "./found.js";
import { readValue } from "./read-value.js";
import { isLikelySecret, isRandom, isReference } from "./values.js";

type Command = readonly [word: string, pattern: RegExp];

/** The value follows immediately. `word` is in every match, so that a text without it is not searched. */
const COMMANDS: readonly Command[] = [
  [
    "curl ",
    /\bcurl (?:\\\n|[^\n|;&]){0,200}?(?:-u {0,4}|--(?:proxy-)?user[ =]{1,4})["']?[^\s:"'$`]{0,128}:/g,
  ],
  ["sshpass ", /\bsshpass (?:-[a-oq-z] ){0,2}-p ?/g],
  ["-pw ", /\b(?:putty|plink|pscp|psftp|kitty)[^\n|;&]{0,160}? -pw /gi],
  ["zip ", /\b(?:zip|unzip) (?:-[A-Za-z]{1,4} ){0,3}-P ?/g],
  ["-p", /\b(?:mysql|mariadb)[a-z_-]{0,20} (?:[^\n|;&]{0,200}? )?-p(?=["']?[^\s"'-])/g],
  ["redis-cli ", /\bredis-cli [^\n|;&]{0,120}?-a /g],
  [" login ", /\b(?:docker|podman|helm registry|az|oc|skopeo) login [^\n|;&]{0,160}?-p /g],
  ["ldap", /\bldap[a-z]{3,10} [^\n|;&]{0,160}?-w /g],
  ["7z", /\b7za? [^\n|;&]{0,80}?-p(?=\S)/g],
  ["openssl ", /\bopenssl [^\n|;&]{0,200}?(?:pass:|-k )/g],
  ["htpasswd ", /\bhtpasswd -[a-zA-Z]{0,4}b[a-zA-Z]{0,4} \S{1,128} \S{1,64} /g],
  ["smbclient ", /\bsmbclient [^\n|;&]{0,160}?-U ?["']?[^\s%"']{1,64}%/g],
  ["vault login ", /\bvault login /g],
  ["freerdp", /\b[xw]freerdp[^\n|;&]{0,160}? \/p:/g],
  ["lftp ", /\blftp [^\n|;&]{0,80}?-u ["']?[^\s,"']{1,64},/g],
  ["snmp", /\bsnmp[a-z]{3,12} [^\n|;&]{0,160}?-A /g],
  [
    "net use",
    /\bnet user?(?= [^\n|;&]{0,160}\/(?:add|user:))(?: [A-Za-z*]:)?(?: \\{2}[^\s]{1,128}| [\w.-]{1,64}) /gi,
  ],
  ["chpasswd", /\becho ["']?[\w.-]{1,32}:(?=[^\n|;&]{1,128}\| {0,2}(?:sudo )?chpasswd)/g],
  ["chpasswd", /\bchpasswd <<< ["']?[\w.-]{1,32}:/g],
  [
    "-stdin",
    /\b(?:echo|printf) (?:-n )?(?=[^\n|;&]{1,256}\| {0,2}[a-z]{2,16} login [^\n|;&]{0,160}--password-stdin)/g,
  ],
  ["SecureString", /\bput-parameter (?=[^\n|;&]{0,200}SecureString)[^\n|;&]{0,200}?--value /g],
  ["SecureString", /\bConvertTo-SecureString (?:-String )?(?=["'])/gi],
  ["secret set ", /\bsecret set [\w-]{1,64} [^\n|;&]{0,80}?(?:--body|-b)[ =]/g],
  ["http-basic.", /\bconfig (?:-{1,2}[a-z]{1,16} )?http-basic\.\S{1,128} \S{1,64} /g],
  [" BY ", /\bIDENTIFIED (?:WITH \S{1,40} )?BY (?=["'])/g],
  [" by ", /\bidentified (?:with \S{1,40} )?by (?=["'])/g],
  ["machine", /\bmachine\s{1,4}[\w.-]{1,128}\s{1,16}login\s{1,4}\S{1,128}\s{1,16}password {1,4}/g],
];

/** Prose uses the same words, so the value must look like a secret. */
const LIKELY: readonly Command[] = [
  // `-p` behind the option for a user: `mongosh -u root -p …`
  [
    " -",
    / (?:-u|-U|--?user(?:name)?)[ =]?[\w.@\\-]{1,64}(?: -{1,2}[\w-]{1,24}(?:[ =][^\s-]\S{0,64})?){0,6}? -[pP] ?/g,
  ],
  ["@", /\b(?:sqlplus|exp|imp|thin:|expdp|impdp)[^\n|;&]{0,40}?[ :]["']?\w{1,64}\/(?=[^\s@/]{1,128}@)/gi],
  // A row of PostgreSQL's file of passwords.
  [":", /^[\w.*-]{1,128}:(?:\d{1,5}|\*):[\w*-]{1,64}:[\w.@*-]{1,64}:/gm],
];

/** The value must look randomly generated, and be longer than names. */
const RANDOM: readonly Command[] = [
  ["log", /\blogin (?:-{1,2}[a-z]{1,16} ){0,2}/g],
  ["auth", /\b(?:auth|authorize|authenticate|(?:add-)?authtoken) (?:[\w.@-]{1,64} )?/gi],
  ["install ", /\bservice install /g],
  ["push ", /\bpush [^\n|;&]{0,120}?(?:-k|--api-key)[ =]/g],
  ["config ", /\bconfig [a-z-]{1,32}token\.\S{1,64} /g],
  ["influx ", /\binflux [^\n|;&]{0,120}?-t /g],
  ["import", /\bimportprivkey /g],
];

export function findInCommands(text: string): FoundSecret[] {
  return [
    ...findValues(text, COMMANDS, () => true),
    ...findValues(text, LIKELY, isLikelySecret),
    ...findValues(text, RANDOM, isRandom),
  ];
}

function findValues(
  text: string,
  commands: readonly Command[],
  isMeant: (text: string) => boolean,
): FoundSecret[] {
  return commands
    .filter(([word]) => text.includes(word))
    .flatMap(([, pattern]) =>
      [...text.matchAll(pattern)].flatMap((match) => {
        const value = readValue(text, match.index + match[0].length);
        if (value === null || isReference(value) || value.text.startsWith("-") || !isMeant(value.text))
          return [];
        return [createFound("password", match.index, value, true)];
      }),
    );
}
