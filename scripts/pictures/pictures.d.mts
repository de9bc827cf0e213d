export declare const fromTour: Readonly<Record<string, string>>;
export declare const fromScreens: Readonly<Record<string, string>>;
export declare function tourFiles(
  taken: readonly string[],
): readonly (readonly [name: string, file: string | undefined, picture: string])[];
