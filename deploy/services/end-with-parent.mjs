/**
 * For `--import`: a service that `start-services.mjs` started stops when that process is gone, however it
 * ended. The channel alone does not keep the service alive.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
