/** All that PostgreSQL's programs get to see: nothing of the service's own. Messages in English: they are read. */
export const toolEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};
