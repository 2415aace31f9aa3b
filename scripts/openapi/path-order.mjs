/**
 * Returns the paths in the order in which Swagger UI shows them: area by area in the order of the tags, in each area
 * first the path that lists and creates its objects, then the others by name.
 */
export function inWorkingOrder({ paths, tags }) {
  const rows = Object.entries(paths).map(([path, operations]) => ({ path, operations }));
  const areas = new Set([...tags.map(({ name }) => name), ...rows.map(areaOf)]);
  return [...areas].flatMap((area) => ofArea(rows.filter((row) => areaOf(row) === area)));
}

function ofArea(rows) {
  const byName = rows.sort((a, b) => (a.path < b.path ? -1 : 1));
  const [first] = byName.filter(creates).sort((a, b) => depthOf(a) - depthOf(b));
  const others = byName.filter((row) => row !== first);
  return (first ? [first, ...others] : others).map(({ path }) => path);
}

const areaOf = ({ operations }) => Object.values(operations)[0].tags[0];
const creates = ({ operations }) => operations.post?.responses['201'] !== undefined;
const depthOf = ({ path }) => path.split('/').length;
