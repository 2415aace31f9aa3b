/** The scripts of package.json that are commands of the package; a colon in a name becomes a hyphen. */
const COMMAND =
  /npm run (setup|doctor|migrate|backup|restore:drill|restore|keys|archive|catalog:import|catalog|export|import|demo)\b( --)?(?!:)/g;

/** Returns a text of a checkout as the package says it: `awp keys init` for `npm run keys -- init`. */
export function asPackageSays(text) {
  return text
    .replaceAll(COMMAND, (_, name) => `awp ${name.replace(':', '-')}`)
    .replaceAll(/\bnpm start\b( --(?= ))?/g, 'awp start');
}
