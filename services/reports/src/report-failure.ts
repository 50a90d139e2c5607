/** A report that cannot be made. The message is shown to whoever runs it; causes go to the log. */
export class ReportFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReportFailure';
  }
}
