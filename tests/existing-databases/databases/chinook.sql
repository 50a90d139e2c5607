-- The structure of a shop for music, as the sample database Chinook has it, with its names in mixed case.
-- The rows are made up.
CREATE TABLE "Artist" ("ArtistId" integer NOT NULL, "Name" varchar(120), CONSTRAINT "PK_Artist" PRIMARY KEY ("ArtistId"));
CREATE TABLE "Album" (
  "AlbumId" integer NOT NULL,
  "Title" varchar(160) NOT NULL,
  "ArtistId" integer NOT NULL,
  CONSTRAINT "PK_Album" PRIMARY KEY ("AlbumId"),
  CONSTRAINT "FK_AlbumArtistId" FOREIGN KEY ("ArtistId") REFERENCES "Artist" ON DELETE NO ACTION ON UPDATE NO ACTION
);
CREATE INDEX "IFK_AlbumArtistId" ON "Album" ("ArtistId");
CREATE TABLE "Employee" (
  "EmployeeId" integer NOT NULL,
  "LastName" varchar(20) NOT NULL,
  "FirstName" varchar(20) NOT NULL,
  "Title" varchar(30),
  "ReportsTo" integer,
  "BirthDate" timestamp,
  "HireDate" timestamp,
  "Email" varchar(60),
  CONSTRAINT "PK_Employee" PRIMARY KEY ("EmployeeId"),
  CONSTRAINT "FK_EmployeeReportsTo" FOREIGN KEY ("ReportsTo") REFERENCES "Employee"
);
CREATE TABLE "Customer" (
  "CustomerId" integer NOT NULL,
  "FirstName" varchar(40) NOT NULL,
  "LastName" varchar(20) NOT NULL,
  "Company" varchar(80),
  "Country" varchar(40),
  "Email" varchar(60) NOT NULL,
  "SupportRepId" integer,
  CONSTRAINT "PK_Customer" PRIMARY KEY ("CustomerId"),
  CONSTRAINT "FK_CustomerSupportRepId" FOREIGN KEY ("SupportRepId") REFERENCES "Employee"
);
CREATE TABLE "Genre" ("GenreId" integer NOT NULL, "Name" varchar(120), CONSTRAINT "PK_Genre" PRIMARY KEY ("GenreId"));
CREATE TABLE "MediaType" (
  "MediaTypeId" integer NOT NULL,
  "Name" varchar(120),
  CONSTRAINT "PK_MediaType" PRIMARY KEY ("MediaTypeId")
);
CREATE TABLE "Invoice" (
  "InvoiceId" integer NOT NULL,
  "CustomerId" integer NOT NULL,
  "InvoiceDate" timestamp NOT NULL,
  "BillingCity" varchar(40),
  "Total" numeric(10, 2) NOT NULL,
  CONSTRAINT "PK_Invoice" PRIMARY KEY ("InvoiceId"),
  CONSTRAINT "FK_InvoiceCustomerId" FOREIGN KEY ("CustomerId") REFERENCES "Customer"
);
CREATE TABLE "Track" (
  "TrackId" integer NOT NULL,
  "Name" varchar(200) NOT NULL,
  "AlbumId" integer,
  "MediaTypeId" integer NOT NULL,
  "GenreId" integer,
  "Composer" varchar(220),
  "Milliseconds" integer NOT NULL,
  "Bytes" integer,
  "UnitPrice" numeric(10, 2) NOT NULL,
  CONSTRAINT "PK_Track" PRIMARY KEY ("TrackId"),
  CONSTRAINT "FK_TrackAlbumId" FOREIGN KEY ("AlbumId") REFERENCES "Album",
  CONSTRAINT "FK_TrackGenreId" FOREIGN KEY ("GenreId") REFERENCES "Genre",
  CONSTRAINT "FK_TrackMediaTypeId" FOREIGN KEY ("MediaTypeId") REFERENCES "MediaType"
);
CREATE INDEX "IFK_TrackAlbumId" ON "Track" ("AlbumId");
CREATE TABLE "InvoiceLine" (
  "InvoiceLineId" integer NOT NULL,
  "InvoiceId" integer NOT NULL,
  "TrackId" integer NOT NULL,
  "UnitPrice" numeric(10, 2) NOT NULL,
  "Quantity" integer NOT NULL,
  CONSTRAINT "PK_InvoiceLine" PRIMARY KEY ("InvoiceLineId"),
  CONSTRAINT "FK_InvoiceLineInvoiceId" FOREIGN KEY ("InvoiceId") REFERENCES "Invoice",
  CONSTRAINT "FK_InvoiceLineTrackId" FOREIGN KEY ("TrackId") REFERENCES "Track"
);
CREATE TABLE "Playlist" (
  "PlaylistId" integer NOT NULL,
  "Name" varchar(120),
  CONSTRAINT "PK_Playlist" PRIMARY KEY ("PlaylistId")
);
CREATE TABLE "PlaylistTrack" (
  "PlaylistId" integer NOT NULL,
  "TrackId" integer NOT NULL,
  CONSTRAINT "PK_PlaylistTrack" PRIMARY KEY ("PlaylistId", "TrackId"),
  CONSTRAINT "FK_PlaylistTrackPlaylistId" FOREIGN KEY ("PlaylistId") REFERENCES "Playlist",
  CONSTRAINT "FK_PlaylistTrackTrackId" FOREIGN KEY ("TrackId") REFERENCES "Track"
);

INSERT INTO "Artist" VALUES (1, 'Harbour Choir'), (2, 'Iron Kettle');
INSERT INTO "Album" VALUES (1, 'Low Tide', 1), (2, 'Steam', 2);
INSERT INTO "Employee" VALUES (1, 'Sand', 'Ole', 'Head', NULL, '1980-02-03', '2010-01-01', 'ole@example.com'),
  (2, 'Vik', 'Ida', 'Support', 1, '1990-05-06', '2015-06-01', 'ida@example.com');
INSERT INTO "Customer" VALUES (1, 'Rosa', 'Lind', NULL, 'Norway', 'rosa@example.com', 2),
  (2, 'Karl', 'Berg', 'Berg AS', 'Sweden', 'karl@example.com', NULL);
INSERT INTO "Genre" VALUES (1, 'Choir'), (2, 'Metal');
INSERT INTO "MediaType" VALUES (1, 'Compressed'), (2, 'Lossless');
INSERT INTO "Track" VALUES (1, 'Ebb', 1, 2, 1, NULL, 184000, 4000000, 0.99), (2, 'Flood', 1, 2, 1, 'A. Moe', 201000, NULL, 0.99),
  (3, 'Whistle', 2, 1, 2, NULL, 247000, 5100000, 1.29);
INSERT INTO "Invoice" VALUES (1, 1, '2026-04-01 10:00', 'Bergen', 1.98), (2, 2, '2026-04-02 11:00', 'Lund', 1.29);
INSERT INTO "InvoiceLine" VALUES (1, 1, 1, 0.99, 1), (2, 1, 2, 0.99, 1), (3, 2, 3, 1.29, 1);
INSERT INTO "Playlist" VALUES (1, 'Evening'), (2, 'Work');
INSERT INTO "PlaylistTrack" VALUES (1, 1), (1, 2), (2, 3);
