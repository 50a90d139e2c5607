package bench;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.SQLRestriction;

@Entity
@Table(schema = "sales", name = "`order`")
@SQLRestriction("deleted_date is null")
public class Order extends Audited {
  public String number;
  public LocalDate date;
  public Integer status;

  @ManyToOne(fetch = FetchType.LAZY)
  @JoinColumn(name = "customer_id")
  public Customer customer;

  public BigDecimal amount;
  public BigDecimal discount;
  public String notes;

  @Column(name = "placed_at")
  public OffsetDateTime placedAt;

  @Column(name = "confirmed_at")
  public LocalDateTime confirmedAt;

  @Column(name = "deliver_from")
  public LocalTime deliverFrom;

  @Column(name = "external_id")
  public UUID externalId;

  public String attachment;

  @OneToMany(cascade = CascadeType.ALL, orphanRemoval = true)
  @JoinColumn(name = "order_id", nullable = false, updatable = false)
  @OrderBy("position, id")
  public List<OrderLine> lines;
}
