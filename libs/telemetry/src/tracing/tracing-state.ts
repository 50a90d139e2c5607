let isOn = false;

/** Whether the SDK runs in this process; where it does not, spans cost one look at this. */
export const isTracing = (): boolean => isOn;

/** Called by the code that starts the SDK. */
export const setTracing = (on: boolean): void => {
  isOn = on;
};
