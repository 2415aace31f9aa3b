/** A JSON object with numbers that JavaScript cannot hold. */
export const ODD: string;
/** Returns the lines, as JSON, that a server sends for a message, the response last; none for a notification. */
export function linesFor(line: string, ask?: (question: string) => Promise<string>): Promise<string[]>;
