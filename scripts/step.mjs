/** Announces a slow step, and reports its time when it has ended. */
export async function step(title, work) {
  console.error(`${title} …`);
  const begin = performance.now();
  await work();
  console.error(`${title}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}
