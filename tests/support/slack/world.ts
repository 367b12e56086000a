/** Everything that the emulated service knows. */
import type { Conversations, StoredFile } from "./conversations.js";
import type { Gateway } from "./gateway.js";
import type { Json } from "./json.js";
import type { RateLimit } from "./rate.js";
import type { Responses } from "./responses.js";
import type { Triggers } from "./triggers.js";

/** The app as its manifest made it. */
export interface AppManifest {
  readonly features: {
    readonly slash_commands?: readonly { readonly command: string }[];
    readonly app_home?: { readonly home_tab_enabled?: boolean; readonly messages_tab_enabled?: boolean };
  };
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } };
  readonly settings: {
    readonly event_subscriptions?: { readonly bot_events: readonly string[] };
    readonly interactivity?: { readonly is_enabled: boolean };
    readonly socket_mode_enabled?: boolean;
  };
}

export interface View {
  readonly id: string;
  readonly user: string;
  readonly view: Json;
}

export interface World {
  readonly team: { readonly id: string; readonly domain: string; readonly name: string };
  readonly appId: string;
  readonly bot: { readonly userId: string; readonly botId: string };
  readonly manifest: AppManifest;
  /** What the installation was granted; the manifest's unless a test takes some away. */
  readonly scopes: Set<string>;
  readonly conversations: Conversations;
  readonly gateway: Gateway;
  readonly rate: RateLimit;
  readonly triggers: Triggers;
  readonly responses: Responses;
  /** Open modals, the newest last. */
  readonly modals: View[];
  /** The home tab of each user who was ever given one. */
  readonly homes: Map<string, Json>;
  readonly uploads: Map<string, { readonly name: string; readonly length: number; data: Buffer | null }>;
  readonly files: Map<string, StoredFile>;
  /** Where the service itself answers. */
  origin: () => string;
  /** Something happened after the reply to its call: whoever waits looks again. */
  changed: () => void;
  /** Editing is over for this team. */
  editWindowClosed: boolean;
}
