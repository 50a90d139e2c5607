import type { BackendSource } from './backend.ts';
import { goProgram, HELM, KUBECONFORM } from './go-install.ts';

/** Helm and kubeconform of known versions: what another version of Helm renders may differ from the snapshots. */
export const helmFromSource: BackendSource = async (context) => {
  const helm = await goProgram(HELM, context);
  if (typeof helm !== 'string') return helm;
  const kubeconform = await goProgram(KUBECONFORM, context);
  if (typeof kubeconform !== 'string') return kubeconform;
  return {
    environment: { LINTEL_TEST_HELM_PROGRAM: helm, LINTEL_TEST_KUBECONFORM_PROGRAM: kubeconform },
    origin: `${helm}, ${kubeconform}`,
    stop: async () => undefined,
  };
};
