import { folderRules, generalRules, packageRules, pureRules } from './tools/lint/import-rules.mjs';

// Who may import whom. A row reads: the sources of this package (or folder) may import their own and these, nothing else.
// `type:x` means the types of x alone. What has no row is an error, so a new package or folder begins with its row here.
// A row of a folder also names the top-level files which that folder may import (`mcp.constants`).

/** Between packages, each through the other's package root. */
const PACKAGES = {
  core: '',
  tasks: 'core',
  'tasks-redis': 'core tasks',
  testing: 'core tasks',
};

const CORE = {
  protocol: '',
  nest: '',
  errors: 'protocol',
  seams: 'protocol errors',
  options: 'envelope protocol errors seams replay mcp-module-options',
  envelope: 'protocol errors',
  schema: 'protocol errors',
  'uri-template': 'protocol',
  replay: 'protocol errors schema type:envelope type:notifications',
  results: 'protocol errors schema type:envelope',
  notifications: 'protocol errors schema type:envelope',
  dispatch: 'envelope errors protocol notifications mcp.constants',
  subscriptions: 'envelope errors protocol type:dispatch type:notifications',
  transport: 'dispatch envelope errors protocol notifications mcp.constants mcp-module-options',
  decorators: 'nest protocol schema mcp.constants',
  discovery: 'nest decorators errors schema protocol seams options uri-template mcp.constants',
  handlers:
    'nest seams options discovery decorators replay results errors schema envelope protocol notifications dispatch mcp.constants mcp-module-options',
  registration: 'nest subscriptions options handlers discovery decorators seams schema uri-template errors protocol',
  methods:
    'subscriptions seams dispatch handlers discovery uri-template schema replay results envelope errors protocol notifications mcp.constants mcp-module-options',
  boot: 'nest transport registration methods handlers subscriptions discovery decorators replay results schema dispatch envelope options seams errors protocol notifications mcp-module-options',
};

const TASKS = {
  protocol: '',
  decorators: '',
  options: 'tasks-module-options',
  settings: 'store decorators options protocol',
  record: 'protocol',
  store: 'record protocol options',
  slots: 'store record options',
  nodes: 'store record',
  attempts: 'nodes slots store record options',
  engine: 'attempts nodes slots store record protocol settings options type:decorators',
  interceptor: 'engine settings protocol',
  methods: 'engine store record protocol',
  pushes: 'store record protocol',
};

const TASKS_REDIS = {
  connection: '',
  encryption: '',
  options: 'connection encryption',
  'boot-check': 'connection options',
  commands: 'connection',
  channels: 'connection',
  'run-index': 'channels commands',
  'change-feed': 'channels commands',
  store: 'change-feed run-index channels commands type:connection type:encryption',
};

/** The only files that import the official packages: their leaf pieces, and the server that answers the 2025 revisions. */
const OFFICIAL = ['protocol/official.ts', 'transport/legacy/official-legacy.ts'];

/** The only file that imports Nest beyond its public entry points. The metadata keys stand in `nest/metadata.ts`. */
const NEST_INTERNALS = ['handlers/nest/nest-internals.ts'];

/** Folders that know nothing of these modules. */
const PURE = [
  { folders: 'core/src/(protocol|replay|results|notifications|subscriptions)', without: 'node_modules/@nestjs/' },
  { folders: 'tasks/src/record', without: 'node_modules/', node: false, typesOf: ['packages/core/'] },
];

export default {
  forbidden: [
    ...generalRules({ doors: OFFICIAL, internals: NEST_INTERNALS }),
    ...packageRules(PACKAGES),
    ...folderRules('core', CORE),
    ...folderRules('tasks', TASKS),
    ...folderRules('tasks-redis', TASKS_REDIS),
    ...pureRules(PURE),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(packages|libs|apps)/[^/]+/dist/' },
    // Imports of types count too: a cycle of types is a cycle for the reader.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@mocapi/source', 'types', 'import', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json', '.d.ts'],
    },
  },
};
