import type { BackendSource } from '../backend.ts';
import {
  ACTIONLINT,
  COSIGN,
  type GoProgram,
  goProgram,
  HELM,
  KUBECONFORM,
  KUSTOMIZE,
  OCI_REGISTRY,
} from './go-install.ts';

/** Programs by the variables that tests read, built where no earlier run has done it. */
const programs =
  (wanted: Readonly<Record<string, GoProgram>>): BackendSource =>
  async (context) => {
    const found: Record<string, string> = {};
    for (const [variable, program] of Object.entries(wanted)) {
      const file = await goProgram(program, context);
      if (typeof file !== 'string') return file;
      found[variable] = file;
    }
    return { environment: found, origin: Object.values(found).join(', '), stop: async () => undefined };
  };

/** Helm and kubeconform of known versions: what another version of Helm renders may differ from the snapshots. */
export const helmFromSource = programs({
  LINTEL_TEST_HELM_PROGRAM: HELM,
  LINTEL_TEST_KUBECONFORM_PROGRAM: KUBECONFORM,
});

/** Kustomize of a known version: the names that it makes have a part made of the content. */
export const kustomizeFromSource = programs({ LINTEL_TEST_KUSTOMIZE_PROGRAM: KUSTOMIZE });

/** Checks the workflows of the repository. */
export const actionlintFromSource = programs({ LINTEL_TEST_ACTIONLINT_PROGRAM: ACTIONLINT });

/** A registry of images and charts. */
export const ociRegistryFromSource = programs({ LINTEL_TEST_REGISTRY_PROGRAM: OCI_REGISTRY });

/** Signs packages, images and charts. */
export const cosignFromSource = programs({ LINTEL_TEST_COSIGN_PROGRAM: COSIGN });
