package bench;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.math.BigDecimal;

/** The getters are what a lazy reference loads its row by. */
@Entity
@Table(schema = "sales", name = "product")
public class Product extends Audited {
  public String name;
  public String sku;
  public BigDecimal price;

  public String getName() {
    return name;
  }

  public String getSku() {
    return sku;
  }

  public BigDecimal getPrice() {
    return price;
  }
}
