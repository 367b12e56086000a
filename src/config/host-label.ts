export interface ConfiguredHost {
  readonly label: string;
  readonly hostname: string;
}

/** Null without configured machines. A machine that is not listed is called by its host name without the domain. */
export function findHostLabel(hosts: readonly ConfiguredHost[], hostname: string): string | null {
  const isOwn = (host: ConfiguredHost): boolean => host.hostname.toLowerCase() === hostname.toLowerCase();
  const own = hosts.find(isOwn);
  const isAlone = hosts.every(isOwn);
  return isAlone ? null : (own?.label ?? hostname.split(".")[0] ?? hostname);
}
