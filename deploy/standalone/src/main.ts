/**
 * `npm start`: the whole system in one process, with a database of its own. Tracing first: what it
 * instruments must not have been imported before.
 */
import '@lintel/telemetry/register';
import '@lintel/config/decorators';

await import('./run-standalone.ts');
