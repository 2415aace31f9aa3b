export const START: string;
export const END: string;
export function withTable(page: string, entries: readonly object[]): string;
