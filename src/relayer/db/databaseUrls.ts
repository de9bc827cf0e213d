/**
 * The URLs that a connection string stands for: one for each host of a list, as libpq writes it,
 * with everything else alike (`postgres://user@a:5432,b:5432/name`).
 */
export function databaseUrls(databaseUrl: string): readonly string[] {
  const parts = /^([a-z]+:\/\/(?:[^/]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl);
  if (parts === null) return [databaseUrl];
  const [, before = '', hosts = '', after = ''] = parts;
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

/**
 * Whether the driver can read each of them. It takes one with a user and no host too, which leads
 * to a socket (`postgres://user@/name?host=/run/postgresql`).
 */
export const areUrls = (databaseUrl: string): boolean =>
  databaseUrls(databaseUrl).every((url) => URL.canParse(url.replace('@/', '@socket/')));
