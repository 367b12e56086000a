/**
 * What goes between us and the real agents, situation by situation, is what the fixtures hold: they are what the tests without them play
 * back. `UPDATE_EXCHANGES=1` writes them anew.
 */
import { describe, expect, it, vi } from "vitest";
import { keepIfWanted } from "../support/exchanges/keep.js";
import { core, exchangePlace, readExchange, writeExchange } from "../support/exchanges/line-exchange.js";
import { PEERS } from "../support/exchanges/peers.js";
import { recorded } from "../support/exchanges/record.js";

vi.setConfig({ testTimeout: 120_000 });

describe.each(PEERS)("the real $name", (peer) => {
  it.each(peer.situations)("exchanges what is kept: $about", async (situation) => {
    const place = exchangePlace(peer.name, situation.name);
    const exchange = await recorded(peer, situation);
    keepIfWanted(place, () => writeExchange(place, exchange));
    expect(core(exchange)).toEqual(core(readExchange(place)));
  });
});
