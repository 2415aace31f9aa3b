// What each command of the service takes, reads and answers: `awp help` of the package prints it, and the commands themselves
// print their usage. The package says `awp backup` where a checkout says `npm run backup --` (scripts/package/names.mjs).

/** Where the data of every command is. */
const DATA = ['DATA_DIR', 'DATABASE_URL', 'DATABASE_DIRECT_URL'];
const RING = ['ENCRYPTION_KEYRING_FILE', 'ENCRYPTION_KEYS'];
const STORE = ['ATTACHMENT_STORE', 'S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

const DONE = { 0: 'it is done' };
const ERRORS = {
  1: 'it failed for a reason that may pass; try again',
  64: 'the arguments are wrong',
  78: 'a person must correct what the message names first',
};

/** Each command with its usage, the settings that it reads most, and its exit codes. */
export const COMMANDS = {
  start: {
    about: 'runs the service, with an embedded PostgreSQL unless DATABASE_URL names another one',
    usage: `npm start -- [--no-backup]
  --no-backup  makes no backup before the migrations of a new version
  Ctrl-C, SIGINT and SIGTERM end it; SIGHUP reads settings, key ring and catalogue again`,
    settings: ['PORT', 'HOST', 'PUBLIC_URL', ...DATA, ...RING, 'MCP_SANDBOX', 'LOG_FORMAT', 'DASHBOARD'],
    exits: { 0: 'a signal ended it', 1: ERRORS[1], 78: ERRORS[78] },
  },
  setup: {
    about: 'completes an installation whose folder the user of the service cannot write',
    usage: 'npm run setup',
    settings: [],
    exits: { ...DONE, 1: ERRORS[1] },
  },
  doctor: {
    about: 'tries all that a start and the work after it need, and changes nothing',
    usage: `npm run doctor -- [--json]
  --json  writes lines in the form of the log`,
    settings: [...DATA, ...RING, ...STORE, 'PORT', 'PUBLIC_URL'],
    exits: { 0: 'nothing is wrong', 1: 'at least one error was found' },
  },
  migrate: {
    about: 'runs the migrations that the database of DATABASE_URL lacks, as the start does',
    usage: 'npm run migrate',
    settings: ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'LOG_FORMAT'],
    exits: { ...DONE, 1: ERRORS[1], 78: ERRORS[78] },
  },
  backup: {
    about: 'copies the database and the attachments of a service, which may keep running',
    usage: `npm run backup -- FOLDER [--ring FOLDER] [--keep NUMBER]
  FOLDER         gets a folder named after the present date and time, with the database and the attachments
  --ring FOLDER  gets a copy of the key ring in the same way; keep it apart from the other one
  --keep NUMBER  removes older backups, and their key rings, beyond this number of complete ones`,
    settings: [...DATA, ...RING, ...STORE],
    exits: { ...DONE, ...ERRORS },
  },
  restore: {
    about: 'restores a backup into an empty data folder and an empty database',
    usage: `npm run restore -- BACKUP [--ring FILE]
  BACKUP       a folder that npm run backup made, such as /backups/2026-11-22T08-15-30Z
  --ring FILE  the key ring that belongs to it; not needed where ENCRYPTION_KEYRING_FILE or ENCRYPTION_KEYS has it`,
    settings: [...DATA, ...RING, ...STORE],
    exits: { ...DONE, ...ERRORS },
  },
  'restore-drill': {
    about: 'restores the newest backup into a temporary folder, and opens every sealed value in it',
    usage: `npm run restore:drill -- FOLDER [--ring FOLDER] [--work FOLDER]
  FOLDER         where npm run backup puts its backups; the newest one is restored on trial
  --ring FOLDER  where npm run backup puts the copies of the key ring; without it that of the service must fit
  --work FOLDER  where the temporary data folder is made, in place of that of the system`,
    settings: [...DATA, ...RING],
    exits: { ...DONE, ...ERRORS },
  },
  keys: {
    about: 'makes, changes and checks the key ring that encrypts credentials',
    usage: `npm run keys -- <command>
  init                 creates a key ring where none exists and nothing is sealed
  add [--not-primary]  adds a key, which seals from now on (or only opens, until rotate names it)
  rotate [key id]      makes the named key primary and seals every value again with the primary key
  retire <key id>      removes a key that seals nothing any more, while the service is stopped
  check                opens every value and prints counts`,
    settings: [...DATA, ...RING],
    exits: { ...DONE, ...ERRORS },
  },
  archive: {
    about: 'moves a month of the tables that grow into the attachment store',
    usage: `npm run archive -- [YYYY-MM] [--keep] [--dry-run]
  YYYY-MM    archives this month: writes it to the attachment store, reads it back, and drops it from the database where
             its retention has passed or is not set
             without a month: archives every month whose retention has passed
  --keep     drops nothing
  --dry-run  shows what would be done
npm run archive -- --list               shows the months that are archived
npm run archive -- --verify [YYYY-MM]   reads the archive and compares it with its checksums
npm run archive -- --restore YYYY-MM    puts the rows of an archived month back`,
    settings: [...DATA, ...STORE, 'RETENTION_ARCHIVE'],
    exits: { ...DONE, ...ERRORS },
  },
  catalog: {
    about: 'checks the file of a catalogue entry, and tries it on a temporary service',
    usage: `npm run catalog -- check FILE [NAME=VALUE ...]
  FILE        an entry's file, such as acme.json
  NAME=VALUE  a value of one of its variables`,
    settings: ['MCP_SANDBOX', 'OUTBOUND_ALLOWED_HOSTS'],
    exits: { ...DONE, ...ERRORS },
  },
  'catalog-import': {
    about: 'makes a catalogue entry of a package of npm or of a server in a registry',
    usage: `npm run catalog:import -- NAME[@VERSION] [options]
  NAME                a server of a registry such as io.github.acme/weather, or a package of npm such as npm:@acme/mcp,
                      with its latest version unless VERSION names another
  --to FOLDER         a folder of CATALOG_DIRS; default: the first of them
  --id ID             the id of the entry; default: the last part of NAME
  --category NAME     database, saas, search, cloud, dev (default) or productivity
  --source KIND       npm, pypi or remote; default: the first that the server has, in this order
  --network HOSTS     any (default), none, or hosts separated by commas: what a package may reach
  --program NAME      the program of a package that has several
  --force             replace the file of an earlier import`,
    settings: ['CATALOG_DIRS', 'MCP_REGISTRY_URL', 'OUTBOUND_ALLOWED_HOSTS'],
    exits: { ...DONE, ...ERRORS },
  },
  export: {
    about: 'writes a project of a service that runs into a file',
    usage: `npm run export -- PROJECT [FILE] [--attachments]
  PROJECT            key or id
  FILE               default: the key with the ending .ndjson or .tar
  --attachments      writes a tar with the lines and the bytes of the attachments
  BASE_URL, API_KEY  the service, and the key of an Editor of the project`,
    settings: [],
    exits: { ...DONE, ...ERRORS },
  },
  import: {
    about: 'brings a file into a project of a service that runs, and reports what it could not take over',
    usage: `npm run import -- PROJECT FILE [--format NAME] [--json]
  PROJECT            key or id; the project exists
  FILE               an export of this service, or of another system
  --format NAME      awp (default), beads, github, linear or jira
  --json             prints the whole report as JSON
  BASE_URL, API_KEY  the service, and the key of an Admin of the project`,
    settings: [],
    exits: { 0: 'it is completed', ...ERRORS },
  },
  demo: {
    about: 'performs the flows of the product, on a temporary service or on one that runs',
    usage: `npm run demo -- [--offline] [--stay]
  --stay             prints the address of a board on the dashboard, where agents work until Ctrl-C
  --offline          leaves out what needs the npm registry
  BASE_URL, API_KEY  set both to use a service that runs, with an Owner's key; set neither for a temporary one`,
    settings: ['MCP_SANDBOX', 'OUTBOUND_ALLOWED_HOSTS'],
    exits: { 0: 'all flows are done', 1: 'a step had an unexpected result', 64: ERRORS[64] },
  },
};

export const usageOf = (name) => COMMANDS[name].usage;
