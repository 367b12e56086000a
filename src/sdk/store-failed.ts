/** The hub's own store did not take an update, which is no fault of the service. */
export class StoreFailed extends Error {
  override readonly name = "StoreFailed";
}
