/**
 * A program that is supervised: `<kind>` is what it does when it gets SIGUSR2; `broken` ends before it is ready, `brief` as
 * soon as it is. The supervisor knows that it is ready before the line says so.
 */
const [kind] = process.argv.slice(2);
if (kind === 'broken') {
  console.log('configuration is wrong');
  process.exit(3);
}
process.once('disconnect', () => process.exit(0));
process.on('SIGTERM', () => {
  console.log('stopping');
  process.exit(0);
});
process.on('SIGUSR2', () => {
  if (kind === 'throw') throw new Error('failed on purpose');
  const kept = [];
  for (;;) kept.push(new Array(1_000_000).fill(kept.length));
});
setInterval(() => {}, 1_000);
process.send('ready', () => {
  if (kind === 'brief') process.kill(process.pid, 'SIGKILL');
  else console.log(`ready ${process.pid}`);
});
