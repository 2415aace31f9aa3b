/** Longest name in code points (spec §1). */
const MAX_LENGTH = 200;

/** The name of an entry, or where that is taken `NAME 2`, `NAME 3` and so on (spec §3.3). */
export function freeName(entryName: string, taken: ReadonlySet<string>): string {
  let name = entryName;
  for (let number = 2; taken.has(name); number += 1) {
    const ending = ` ${number}`;
    name = [...entryName].slice(0, MAX_LENGTH - ending.length).join('') + ending;
  }
  return name;
}
