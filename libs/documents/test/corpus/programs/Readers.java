import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.poi.openxml4j.opc.OPCPackage;
import org.apache.poi.openxml4j.opc.PackageAccess;
import org.apache.poi.openxml4j.opc.PackagePart;
import org.apache.poi.openxml4j.opc.internal.PackagePropertiesPart;
import org.apache.poi.openxml4j.util.ZipSecureFile;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.apache.xmlbeans.SchemaTypeLoader;
import org.apache.xmlbeans.XmlBeans;
import org.apache.xmlbeans.XmlError;
import org.apache.xmlbeans.XmlObject;
import org.apache.xmlbeans.XmlOptions;
import org.openxmlformats.schemas.spreadsheetml.x2006.main.WorksheetDocument;

/** Opens each document of a folder by POI and validates its parts; prints `file TAB error`, and the number of parts. */
public class Readers {
  private static final SchemaTypeLoader SCHEMAS =
      XmlBeans.typeLoaderUnion(WorksheetDocument.type.getTypeSystem(), XmlBeans.getBuiltinTypeSystem());

  public static void main(String[] arguments) throws Exception {
    ZipSecureFile.setMinInflateRatio(0);
    int parts = 0;
    List<Path> files;
    try (Stream<Path> found = Files.list(Path.of(arguments[0]))) {
      files = found.sorted().toList();
    }
    for (Path file : files) {
      try (OPCPackage opened = OPCPackage.open(file.toFile(), PackageAccess.READ)) {
        read(opened, file.toString().endsWith("docx"));
      } catch (Exception | LinkageError error) {
        print(file, "POI: " + error);
      }
      try (OPCPackage opened = OPCPackage.open(file.toFile(), PackageAccess.READ)) {
        for (PackagePart part : opened.getParts())
          if (part.getContentType().endsWith("xml") && !(part instanceof PackagePropertiesPart) && validate(file, part)) parts++;
      } catch (Exception error) {
        print(file, "POI: " + error);
      }
    }
    System.out.println("parts\t" + parts);
  }

  private static void read(OPCPackage opened, boolean isWord) throws Exception {
    if (isWord) {
      XWPFDocument document = new XWPFDocument(opened);
      document.getParagraphs().forEach(paragraph -> paragraph.getText());
      document.getTables().forEach(table -> table.getText());
    } else {
      XSSFWorkbook workbook = new XSSFWorkbook(opened);
      for (Sheet sheet : workbook) sheet.forEach(row -> row.forEach(cell -> cell.toString()));
      for (Sheet sheet : workbook) {
        sheet.getMergedRegions();
        sheet.getCellComments();
        if (sheet.getDrawingPatriarch() != null) sheet.getDrawingPatriarch().forEach(shape -> shape.getAnchor());
      }
    }
  }

  /** Whether the part has a schema. */
  private static boolean validate(Path file, PackagePart part) {
    List<XmlError> errors = new ArrayList<>();
    try (InputStream stream = part.getInputStream()) {
      XmlObject object = SCHEMAS.parse(stream, null, null);
      if (object.schemaType().isNoType()) return false;
      object.validate(new XmlOptions().setErrorListener(errors));
      for (XmlError error : errors) print(file, part.getPartName() + ": " + error.getMessage());
    } catch (Exception error) {
      print(file, part.getPartName() + ": " + error);
    }
    return true;
  }

  private static void print(Path file, String error) {
    System.out.println(file.getFileName() + "\t" + error.replaceAll("\\s+", " "));
  }
}
