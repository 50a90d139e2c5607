/** The variables of this process. Nothing else in the platform reads `process.env`. */
export const environment = (): Readonly<Record<string, string | undefined>> => process.env;
