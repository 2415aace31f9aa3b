import { runService } from './app.run.js';

await runService();
