const { PROFILE_DIR } = process.env;

/** Flags of Node: those of npm start, the image and the systemd unit, and a CPU profile when requested. */
export const serviceFlags = [
  '--max-semi-space-size=32',
  ...(PROFILE_DIR ? ['--cpu-prof', `--cpu-prof-dir=${PROFILE_DIR}`] : []),
];
