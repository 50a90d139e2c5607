/** The variables of this process. No other module of the platform reads `process.env`. */
export const environment = (): Readonly<Record<string, string | undefined>> => process.env;

/** Sets a variable that is absent, for libraries that read the environment themselves (OpenTelemetry). */
export function setEnvironmentDefault(name: string, value: string): void {
  if (process.env[name] === undefined) process.env[name] = value;
}

/** Removes a variable, for a command that has read it and starts services that must not. */
export function unsetVariable(name: string): void {
  delete process.env[name];
}
