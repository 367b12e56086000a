/**
 * What goes between us and the real agents, situation by situation, is what the fixtures hold: they are what the tests without them play
 * back. `UPDATE_EXCHANGES=1` writes them anew.
 */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { core, exchangePlace, readExchange, writeExchange } from "../support/exchanges/line-exchange.js";
import { PEERS } from "../support/exchanges/peers.js";
import { recorded } from "../support/exchanges/record.js";

vi.setConfig({ testTimeout: 120_000 });

describe.each(PEERS)("the real $name", (peer) => {
  it.each(peer.situations)("exchanges what is kept: $about", async (situation) => {
    const place = exchangePlace(peer.name, situation.name);
    const exchange = await recorded(peer, situation);
    if (process.env["UPDATE_EXCHANGES"] || !existsSync(place)) {
      mkdirSync(dirname(place), { recursive: true });
      writeExchange(place, exchange);
    }
    expect(core(exchange)).toEqual(core(readExchange(place)));
  });
});
