/** Types of `prepare.mjs`, which stays plain JavaScript because it runs before anything is installed. */
export declare const root: string;
export declare class Stop extends Error {}
export declare function run(
  command: string,
  args: readonly string[],
  options?: { env?: Record<string, string | undefined>; show?: boolean },
): Promise<{ code: number; output: string }>;
export declare function stillRunning(): readonly string[];
export declare function endChildren(): void;
export declare function freePair(): Promise<number>;
export declare function bin(name: string): string;
export declare function checkNode(version?: string): void;
export declare function modulesAreCurrent(folder?: string): boolean;
export declare function installModules(say: (line: string) => void): Promise<void>;
export declare function findOrInstallChromium(say: (line: string) => void): Promise<string>;
export declare function findOrInstallFirefox(say: (line: string) => void): Promise<string>;
export declare function lookForPostgres(): string | undefined;
export declare function findOrInstallPostgres(say: (line: string) => void): Promise<string>;
export declare function findOrInstallPatroni(say: (line: string) => void): Promise<void>;
export declare const builds: readonly { readonly name: string; readonly args: readonly string[] }[];
export declare function buildAll(options?: { show?: boolean }): Promise<void>;
