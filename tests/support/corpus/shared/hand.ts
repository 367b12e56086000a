/** How a person handles a tool. The situations that all tools share are made of these moves. */
import type { Player } from "../player.js";

export interface Hand {
  ready(player: Player): Promise<void>;
  /** Tells the model to play its part. */
  ask(player: Player): Promise<void>;
  /** The same, until the model's last words stand there and the tool is idle again. */
  finished(player: Player, words: RegExp): Promise<void>;
}
