/** A picture of a document. */
export interface PictureRequest {
  /** Kind of the source: an address, bytes in base64, or a reference of the files service. */
  readonly kind: 'image' | 'bitmap' | 'imageFileId';
  readonly source: string;
  /** The box in pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether a picture smaller than the box keeps its size. */
  readonly onlyShrinks?: boolean;
  /** `Band.field`, for errors. */
  readonly field: string;
}

/** Loads the bytes of pictures for one run, under its caller's rights. */
export interface PictureSource {
  /** Of all pictures of a document together. */
  readonly maxTotalBytes: number;
  /** @throws ReportFailure when the picture cannot be loaded, or must not be */
  load(request: Pick<PictureRequest, 'kind' | 'source'>): Promise<Uint8Array>;
}
