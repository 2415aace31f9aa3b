/** The whole environment of PostgreSQL's programs, with nothing of the service's. Messages are in English because the service reads them. */
export const toolEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};
