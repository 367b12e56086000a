/** The ids of a hub's cards name it, and fit where random ones fit. */
import { describe, expect, it } from "vitest";
import { TOKEN_BYTES_MAX } from "../../../../channels/telegram/limits.js";
import { encodeTextRequest } from "../../../../channels/telegram/updates/person-question.js";
import { computeHubMark, markIds } from "../../../../src/hub/delivery/hub-mark.js";
import { TOKEN_BYTES } from "../../../../src/hub/delivery/notices/buttons.js";
import { isUuid4 } from "../../../../src/model/ids.js";
import { systemRandom } from "../../../../src/observe/random.js";

const MARK = computeHubMark(Buffer.alloc(32, 1));

describe("the mark of a hub", () => {
  it("follows from its secret, and differs from that of another hub", () => {
    expect(computeHubMark(Buffer.alloc(32, 1))).toBe(MARK);
    expect(computeHubMark(Buffer.alloc(32, 2))).not.toBe(MARK);
  });

  it("is in every token and UUID, which stay different and fit a Telegram button", () => {
    const random = markIds(systemRandom, MARK);
    const [token, other] = [random.token(), random.token()];
    expect(token).toContain(MARK);
    expect(token).not.toBe(other);
    expect(Buffer.byteLength(token)).toBe(TOKEN_BYTES);
    expect(TOKEN_BYTES).toBeLessThanOrEqual(TOKEN_BYTES_MAX);
    const deliveryId = random.uuid();
    expect(isUuid4(deliveryId)).toBe(true);
    expect(deliveryId).not.toBe(random.uuid());
    const data = encodeTextRequest({ deliveryId, choice: 9999 });
    expect(data).toContain(MARK);
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(TOKEN_BYTES_MAX);
  });
});
