/**
 * The process of the services while an application is developed: it loads the platform, waits for its start, and ends
 * with the next change. The development server has the database, the listener and the keys.
 */
import '@lintel/telemetry/register';
import '@lintel/config/decorators';

const { runWorker } = await import('./run-worker.ts');
runWorker();
