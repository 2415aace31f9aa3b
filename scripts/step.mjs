/** Tells of a slow step, before it and with its time after it. */
export async function step(title, work) {
  console.error(`${title} …`);
  const begin = performance.now();
  await work();
  console.error(`${title}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
}
