import type { Requirement } from "./types.d.mts"

export declare const readRequirements: () => ReadonlyArray<Requirement>
export declare const readAreas: () => Readonly<Record<string, string>>
export declare const readExcuses: () => Map<string, string>
export declare const readLater: () => Map<string, string>
