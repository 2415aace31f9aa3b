const { PROFILE_DIR } = process.env;

/** Of Node: as npm start, the image and the systemd unit run the service, and a profile where one is wanted. */
export const serviceFlags = [
  '--max-semi-space-size=32',
  ...(PROFILE_DIR ? ['--cpu-prof', `--cpu-prof-dir=${PROFILE_DIR}`] : []),
];
