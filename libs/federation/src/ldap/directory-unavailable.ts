/** No server of a directory could be asked. The message is for the log. */
export class DirectoryUnavailable extends Error {
  constructor(name: string, cause: unknown) {
    super(`The directory ${name} cannot be asked`, { cause });
    this.name = 'DirectoryUnavailable';
  }
}
