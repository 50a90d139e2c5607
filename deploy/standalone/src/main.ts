/**
 * `npm start`: the whole system in one process, with a database of its own. Tracing is imported first, before the
 * modules that it instruments.
 */
import '@lintel/telemetry/register';
import '@lintel/config/decorators';

await import('./run-standalone.ts');
