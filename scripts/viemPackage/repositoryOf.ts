/** What a package says of where its source is. */
export interface RepositoryMetadata {
  readonly repository: { readonly type: 'git'; readonly url: string; readonly directory: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
}

/**
 * Reads the address of a git remote, as `git remote get-url` prints it. User names and passwords in
 * it are left out.
 * @returns `null` for a remote that others cannot reach, such as a folder.
 */
export function repositoryOf(remote: string): RepositoryMetadata | null {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+\.[a-z]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/i.exec(remote) ??
    /^[\w.-]+@([\w.-]+\.[a-z]+):(.+?)(?:\.git)?\/?$/i.exec(remote) ??
    [];
  if (host === undefined || path === undefined) return null;
  const web = `https://${host}/${path}`;
  return {
    repository: { type: 'git', url: `git+${web}.git`, directory: 'src/viem' },
    homepage: `${web}#readme`,
    bugs: { url: `${web}/issues` },
  };
}
