/** The hub's own store failed to accept an update; the service is not at fault. */
export class StoreFailed extends Error {
  override readonly name = "StoreFailed";
}
