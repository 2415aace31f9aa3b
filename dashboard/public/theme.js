// Runs before the first paint, so that a chosen theme does not flash. The same keys are read by src/theme/preferences.ts.
(() => {
  const root = document.documentElement;
  const theme = localStorage.getItem('awp.theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  if (localStorage.getItem('awp.density') === 'compact') root.dataset.density = 'compact';
  if (localStorage.getItem('awp.motion') === 'off') root.dataset.motion = 'off';
})();
