export function installTool(folder: string): Promise<string | null>;
