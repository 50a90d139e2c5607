/** A picture that a document asks for. */
export interface PictureRequest {
  /** Where it comes from: an address, bytes in base64, a reference of the files service. */
  readonly kind: 'image' | 'bitmap' | 'imageFileId';
  readonly source: string;
  /** The box in pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether a picture smaller than the box stays as it is. */
  readonly onlyShrinks?: boolean;
  /** `Band.field`, for errors. */
  readonly field: string;
}

/** Loads the bytes of pictures for one run, under its caller's rights. */
export interface PictureSource {
  /** Of all pictures of a document together: `svc.reports.limits.pictures-size`. */
  readonly maxTotalBytes: number;
  /** @throws ReportFailure when the picture cannot be had, or may not */
  load(request: Pick<PictureRequest, 'kind' | 'source'>): Promise<Uint8Array>;
}
