/** Commands to AtlasBridge instead of the agent: lines that begin with a colon and a word. */
import type { Clock } from "../../../model/clock.js";
import { makeVisible } from "../../../safety/display.js";
import { quoteShellWord } from "../../../safety/shell-word.js";
import type { AgentAsking } from "../../adapter-format/compiled/compiled.js";
import type { Usage } from "../../runtimes/protocol/activity.js";
import { changeMode, describeSilentMode } from "./asking-mode.js";
import { describeError } from "./agent-connection.js";
import type { AcpAgent } from "./acp-agent.js";
import { findChoice, MODE, formatSetting, type Setting, type SettingChoice } from "./settings.js";

const HELP = [
  ":set                  shows the settings of this session",
  ":set NAME             shows the choices of a setting",
  ":set NAME VALUE       changes a setting",
  ":usage                shows what the session has used",
  ":session              shows the id to resume the session later (--session ID)",
];

export interface LineCommandsOptions {
  readonly tool: string;
  readonly agent: () => AcpAgent | null;
  readonly clock: Clock;
  readonly asking: AgentAsking | null;
  readonly show: (line: string) => void;
}

export class LineCommands {
  readonly #options: LineCommandsOptions;

  constructor(options: LineCommandsOptions) {
    this.#options = options;
  }

  get introduction(): string {
    const { tool, agent } = this.#options;
    const chosen = agent()?.facts.settings.all.map(formatSetting) ?? [];
    return makeVisible([agent()?.greeting?.agent || tool, ...chosen].join(" · "));
  }

  farewell(command: readonly string[]): string | null {
    const { session } = this;
    if (session === null) return null;
    const words = ["atlasbridge", "run", "--runtime", "acp", "--session", session, ...command];
    return `To resume: ${words.map(quoteShellWord).join(" ")}`;
  }

  get session(): string | null {
    return this.#options.agent()?.resumableId ?? null;
  }

  /** Resolves to false for a line that belongs to the agent. Never rejects. */
  async take(line: string): Promise<boolean> {
    const [, word = "", rest = ""] = /^:([a-z]{1,20})(?: ([^]*))?$/.exec(line.trim()) ?? [];
    if (word === "") return false;
    const agent = this.#options.agent();
    if (agent) for (const each of await this.#answer(agent, word, rest.trim())) this.#options.show(each);
    return true;
  }

  async #answer(agent: AcpAgent, word: string, rest: string): Promise<readonly string[]> {
    const { facts } = agent;
    switch (word) {
      case "set":
        return this.#set(agent, rest);
      case "usage":
        return [facts.usage ? formatUsage(facts.usage) : "The agent does not report its usage."];
      case "session":
        return [this.session ?? "This agent cannot resume sessions."];
      case "help":
        return [...HELP, ...formatCommands(facts.commands)];
      default:
        return [
          `There is no command :${word} (:help lists them). With a blank before it, the line goes to the agent.`,
        ];
    }
  }

  async #set(agent: AcpAgent, rest: string): Promise<readonly string[]> {
    const { settings } = agent.facts;
    if (settings.all.length === 0) return ["This agent has no settings."];
    if (rest === "") return settings.all.map((each) => `${each.id.padEnd(12)} ${formatSetting(each)}`);
    // Setting names may contain blanks, so the longest match counts.
    const words = rest.split(/ +/);
    for (let taken = words.length; taken > 0; taken -= 1) {
      const setting = settings.find(words.slice(0, taken).join(" "));
      if (setting) return this.#choose(agent, setting, words.slice(taken).join(" "));
    }
    return [`There is no setting ${words[0] ?? ""} (:set lists them).`];
  }

  async #choose(agent: AcpAgent, setting: Setting, word: string): Promise<readonly string[]> {
    if (word === "") return setting.choices.map((choice) => formatChoice(choice, setting.value));
    const choice = findChoice(setting, word);
    if (!choice) return [`${setting.name} has no ${word}:`, ...(await this.#choose(agent, setting, ""))];
    return this.#change(agent, setting, choice.value);
  }

  async #change(agent: AcpAgent, setting: Setting, value: string): Promise<readonly string[]> {
    const { asking, clock } = this.#options;
    const { settings } = agent.facts;
    try {
      // A change that the agent reports is shown as its report.
      if (await changeMode(setting, value, { settings, session: agent, clock })) return [];
    } catch (error) {
      return [`${setting.name} stays as it is: ${describeError(error)}`];
    }
    const silence = setting.id === MODE ? describeSilentMode(asking, settings) : null;
    return [silence ?? formatSetting({ ...setting, value })];
  }
}

function formatChoice({ value, name }: SettingChoice, current: string): string {
  const row = name === value ? value : `${value.padEnd(16)} ${name}`;
  return `${value === current ? "●" : "○"} ${row}`;
}

function formatUsage({ used, size, cost }: Usage): string {
  const share = size > 0 ? ` (${Math.round((used / size) * 100)} %)` : "";
  const price = cost === null ? "" : `, ${`${cost.amount} ${cost.currency}`.trimEnd()}`;
  return `${used} of ${size} tokens of context${share}${price}`;
}

function formatCommands(commands: readonly string[]): string[] {
  return commands.length === 0 ? [] : [`The agent's own: ${commands.map((name) => `/${name}`).join(" ")}`];
}
