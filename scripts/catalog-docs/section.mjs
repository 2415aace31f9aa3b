/** Returns the section of an entry: what it is, how to install it, its variables, and what a verification proves. */
export function sectionOf(entry) {
  return [
    `### ${entry.id}`,
    `${entry.description} ${originOf(entry)}`,
    entry.installInstructions,
    variablesOf(entry.environmentVariables),
    `Source: ${sourceOf(entry.manifest)}. ${sharingOf(entry.manifest)} ${proofOf(entry)}`,
    networkOf(entry.manifest),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function originOf({ name, publisher, homepage, license }) {
  const page = homepage ? `[${name}](${homepage})` : name;
  const by = publisher ? ` is published by ${publisher.replace(/\.$/, '')}` : ' names no publisher';
  return `${page}${by}${license ? `, licence ${license}` : ''}.`;
}

function sourceOf({ package: pinned, url }) {
  if (!pinned) return `the remote server \`${url}\``;
  const registry = pinned.registry === 'npm' ? 'npm' : 'PyPI';
  return `\`${pinned.name}\` ${pinned.version} from ${registry}`;
}

/** What the server reaches at the two best sandbox levels. The service itself connects to a remote server. */
function networkOf({ network }) {
  if (network === undefined) return '';
  if (network === 'none') return 'Network: none.';
  if (network === 'any') return 'Network: any public host.';
  return `Network: ${network.hosts.map(hostOf).join(', ')}; no other host.`;
}

function hostOf(host) {
  const [, variable] = /^\{env:([^{}]+)\}$/.exec(host) ?? [];
  return variable ? `the host in \`${variable}\`` : `\`${host}\``;
}

function sharingOf({ sharing, url }) {
  const kind = url ? 'connection' : 'process';
  return sharing === 'agent'
    ? `Each agent gets a ${kind} of its own.`
    : `All agents that are granted it share one ${kind}.`;
}

function variablesOf(variables) {
  if (variables.length === 0) return 'It reads no variables.';
  return ['It reads:', '', ...variables.map(lineOf)].join('\n');
}

function lineOf({ name, description, isRequired, isSecret, default: preset, choices, searchPaths }) {
  const traits = [
    isRequired && !preset && !searchPaths ? 'required' : 'optional',
    ...(isSecret ? ['secret'] : []),
    ...(preset ? [`default \`${preset}\``] : []),
    ...(searchPaths
      ? [`default: the first of ${searchPaths.map((path) => `\`${path}\``).join(', ')} on the host`]
      : []),
    ...(choices ? [`one of ${choices.map((choice) => `\`${choice}\``).join(', ')}`] : []),
  ];
  return `- \`${name}\` (${traits.join(', ')}): ${description}`;
}

function proofOf({ manifest, environmentVariables, verified }) {
  const probe = manifest.credentialProbe;
  const hasSecrets = environmentVariables.some(({ isSecret }) => isSecret);
  const tried = verified ? '' : ' This entry has not been tried by this project.';
  if (probe) return `A verification calls \`${probe.tool}\`, which fails with wrong credentials.${tried}`;
  if (!hasSecrets) return `It needs no credentials, so a verification proves that it works.${tried}`;
  if (manifest.noProbeReason)
    return `Verify cannot check this credential because ${manifest.noProbeReason}.${tried}`;
  return `A verification proves nothing about its credentials.${tried}`;
}
