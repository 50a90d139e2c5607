/** The metadata of a SAML provider; the key of its certificate is not kept. */
export const PROVIDER_METADATA = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:hostile">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing">
<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>
MIIDBTCCAe2gAwIBAgIUfAbv1ACtEZ/JdyyP5XcTEoQnMiQwDQYJKoZIhvcNAQEL
BQAwEjEQMA4GA1UEAwwHaG9zdGlsZTAeFw0yNjExMjgyMTEzMTNaFw0zNjExMjUy
MTEzMTNaMBIxEDAOBgNVBAMMB2hvc3RpbGUwggEiMA0GCSqGSIb3DQEBAQUAA4IB
DwAwggEKAoIBAQDrwi4p+SHU2NNcpkJIy2QJyDDAAyTh5CJzUxo/it6dJt+G9M0l
29+rvrXC1XJfHF+/pZDmPi1/fNxzNqvNo4QSBJvjjytfYqJDIQh0K5zdJJpN2Lhk
Sq0PQO2KNpDM9YvLf2YIwPMZFnvfrE92upZTrkmd1WDJ2N3QP1yh0hngXAcv7N2x
mtdKlBzy+lEr9fzyTq1eP08gRcDQCfsF/QvI9b/DBVWub/bqLVM+iXbkQcYJP1lh
cxFidJwfqJfZjluGmzSHCuUrCBPNFYH6hPztsZB2p2K66wa8bR7gNQ/pyZc0iLVh
awKZ6+lD5JYELVcTj1KUxAzPZdj+PE53ny09AgMBAAGjUzBRMB0GA1UdDgQWBBSG
mhio0D8XA5UYRyWpJDY954dbgTAfBgNVHSMEGDAWgBSGmhio0D8XA5UYRyWpJDY9
54dbgTAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQAVofRmku8C
OTU9+HmxdE3rtC7B1m6PZKtwMwCU/pkuE0qUfGimu5rKZrfW+OWUOuzSMvweje3G
zb3Pc4AsFn9nNlAUDTxnV0fH29tEXnGgb8ws5nNM5kLCkp5vYHbOXMpTxYt3o/U4
uKbiJg+CZi1iR+ldNEDGkJxwCXfcnZHLUws7lFbKeMw+bFMoiGC8CAwLmAdUznS6
K6lb4T90CxoeW/QVBA2FzHvCKBUw8Z44V39F7CIZauxlG+tJRbwpkysrdAWb/NKN
B/5wcvGz6dvonFZGMbAEbvtLgLvFXIEZGpIBboz/aMWV7OOOfd9QYAIt75/3fL7a
FgtdH2DDJYDU
</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://saml.example/login"/>
</IDPSSODescriptor></EntityDescriptor>
`;

/** The token of SCIM. */
export const SCIM_TOKEN = 'token-of-the-hostile-provisioning-of-users';

/** Settings of a SAML provider and of SCIM. */
export const providerSettings = (metadataFile: string): Readonly<Record<string, string>> => ({
  SVC_SCIM_TOKEN: SCIM_TOKEN,
  SVC_AUTH_PROVIDER_HOSTILE_KIND: 'saml',
  SVC_AUTH_PROVIDER_HOSTILE_ISSUER: 'urn:hostile',
  SVC_AUTH_PROVIDER_HOSTILE_METADATA_FILE: metadataFile,
});
