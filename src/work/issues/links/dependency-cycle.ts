import { Problem } from '../../../platform/http/problem/problem.js';

/** The most issues of a cycle's path in a response: a chain may have thousands. */
const LONGEST_PATH = 50;

/** 409: the link would close a cycle of blocking (contract §5.5). */
export class DependencyCycle extends Problem {
  constructor(path: { id: string; key: string }[]) {
    const isCut = path.length > LONGEST_PATH;
    const first = isCut ? path.slice(0, LONGEST_PATH / 2) : path;
    const last = isCut ? path.slice(-LONGEST_PATH / 2) : [];
    const omitted = path.length - first.length - last.length;
    const keys = [
      ...first.map(({ key }) => key),
      ...(isCut ? [`(${omitted} more)`] : []),
      ...last.map(({ key }) => key),
    ];
    super('dependency_cycle', `This link would close a cycle of blocking: ${keys.join(' → ')}.`, {
      members: { path: [...first, ...last], ...(isCut && { omitted }) },
    });
  }
}
